// Reads the word in the box through the automaton, and derives it in the grammar.
"use strict";
(() => {
  const form = document.querySelector("form.words"), tables = document.getElementById("automaton");
  if (!form || !tables) return;
  const data = JSON.parse(tables.textContent);
  const box = document.getElementById("word"), verdict = document.getElementById("verdict");
  const path = document.getElementById("path"), why = document.getElementById("why");
  const derivation = document.getElementById("derivation");
  const accepting = new Set(data.accepting), dead = new Set(data.dead);
  const byName = new Map(data.letters.map((name, i) => [name, i]));

  // The text in pieces, each a letter's name or a character of a class.
  const unquoted = (text) => {
    const pattern = /"((?:[^"\\]|\\.)*)"|(\S+)/gu, pieces = [];
    const escapes = { n: "\n", r: "\r", t: "\t" };
    for (const [, quoted, plain] of text.matchAll(pattern)) {
      const piece = quoted === undefined ? plain : quoted.replace(/\\(?:u\{([0-9a-f]+)\}|(.))/giu,
        (_, code, c) => (code ? String.fromCodePoint(parseInt(code, 16)) : escapes[c] || c));
      if (piece) pieces.push(piece);
    }
    return pieces;
  };
  const split = (text) => {
    if (data.spelling === "tokens") return unquoted(text);
    if (data.spelling === "bytes") {
      return Array.from(new TextEncoder().encode(text), (byte) =>
        byte < 128 ? String.fromCharCode(byte) : "\\x" + byte.toString(16).toUpperCase().padStart(2, "0"));
    }
    return Array.from(text);
  };
  // The shape of a token, as in crates/automata/src/shape.rs.
  const shapeOf = (token) => {
    if (!/[\p{Alphabetic}\p{N}]/u.test(token)) return null;
    if (/^[+-]?[0-9]+(\.[0-9]+)?$/.test(token)) return ":number:";
    const hex = /^[0-9a-fA-F]{4,}$/.test(token) && /[0-9]/.test(token) && /[a-fA-F]/.test(token);
    if (hex || /^0x[0-9a-fA-F]+$/.test(token)) return ":hex:";
    if (/^[\p{Alphabetic}\p{N}_]+$/u.test(token) && !/^\p{N}/u.test(token)) return ":identifier:";
    if (/^(["'`])[^]*\1$/.test(token) && token.length > 1) return ":quoted:";
    return ":other:";
  };
  const letterOf = (piece) => {
    if (!data.classes) {
      const name = byName.has(piece) || data.spelling !== "tokens" ? piece : shapeOf(piece);
      return byName.has(name) ? byName.get(name) : null;
    }
    const point = piece.codePointAt(0);
    const at = data.classes.findIndex((ranges) => ranges.some(([low, high]) => low <= point && point <= high));
    return at < 0 ? null : at;
  };
  const visible = (piece) => piece.replace(/ /g, "␣").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t");

  const element = (tag, text, className) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const circle = (state) => {
    const name = dead.has(state) ? "✗" : String(state);
    const made = element("span", name, "state" + (accepting.has(state) ? " accepts" : dead.has(state) ? " dead" : ""));
    made.title = dead.has(state) ? "dead state" : "state " + state + (accepting.has(state) ? ", accepts" : "");
    return made;
  };

  // One derivation: for each prefix (for a right-regular grammar, suffix) by which production each non-terminal has it.
  const derive = (letters) => {
    const grammar = data.grammar;
    if (!grammar) return null;
    const word = grammar.right ? letters.slice().reverse() : letters;
    const units = grammar.productions.filter((p) => p.letter === null && p.from !== null);
    const close = (had) => {
      for (let grown = true; grown;) {
        grown = false;
        for (const p of units) {
          if (had.has(p.from) && !had.has(p.head)) {
            had.set(p.head, p);
            grown = true;
          }
        }
      }
      return had;
    };
    const had = [close(new Map(grammar.productions.filter((p) => p.letter === null && p.from === null)
      .map((p) => [p.head, p])))];
    word.forEach((letter, i) => {
      const now = new Map();
      for (const p of grammar.productions) {
        if (p.letter !== letter || now.has(p.head)) continue;
        if (p.from === null ? i === 0 : had[i].has(p.from)) now.set(p.head, p);
      }
      had.push(close(now));
    });
    const used = [];
    let at = word.length, head = grammar.start;
    for (;;) {
      const p = had[at].get(head);
      if (!p || used.length > 4 * (word.length + 2)) return null;
      used.push(p);
      if (p.letter !== null) at -= 1;
      if (p.from === null) return used;
      head = p.from;
    }
  };
  const written = (p) => {
    const names = data.grammar.names;
    const letter = p.letter === null ? "" : visible(p.written || data.letters[p.letter]);
    const from = p.from === null ? "" : names[p.from];
    const body = (data.grammar.right ? [letter, from] : [from, letter]).filter(Boolean).join(" ");
    return names[p.head] + " → " + (body || "ε");
  };

  const read = () => {
    const pieces = split(box.value), letters = pieces.map(letterOf);
    const states = [data.initial];
    let unknown = -1;
    for (let i = 0; i < letters.length; i++) {
      if (letters[i] === null) {
        unknown = i;
        break;
      }
      states.push(data.next[states[i]][letters[i]]);
    }
    const end = states[states.length - 1];
    const accepted = unknown < 0 && accepting.has(end);
    verdict.textContent = accepted ? "✓ accepted" : "✗ rejected";
    verdict.className = accepted ? "good" : "bad";
    const died = states.findIndex((state) => dead.has(state));
    const steps = [circle(states[0])];
    for (let i = 0; i < pieces.length; i++) {
      const lost = (died >= 0 && i >= died - 1) || (unknown >= 0 && i >= unknown);
      const step = element("span", visible(pieces[i]), "step" + (lost ? " lost" : ""));
      steps.push(step);
      if (i + 1 < states.length) steps.push(circle(states[i + 1]));
      if (i + 1 === died || i === unknown) {
        if (i + 1 < pieces.length) steps.push(element("span", pieces.slice(i + 1).map(visible).join(" "), "rest"));
        break;
      }
    }
    path.replaceChildren(...steps);
    const prefix = (count) => (count === 0 ? "at the beginning" : "after “" + pieces.slice(0, count).map(visible).join(data.spelling === "tokens" ? " " : "") + "”");
    if (accepted) why.textContent = "The word ends in state " + end + ", which accepts.";
    else if (unknown >= 0 && (died < 0 || unknown < died)) why.textContent = "Unknown letter “" + visible(pieces[unknown]) + "” " + prefix(unknown) + ".";
    else if (died === 0) why.textContent = "The language is empty.";
    else if (died > 0) why.textContent = "No match " + prefix(died - 1) + ": in state " + states[died - 1] + ", no accepted word continues with “" + visible(pieces[died - 1]) + "”.";
    else why.textContent = "The word ends in state " + end + ", which does not accept; a longer word with this prefix may be accepted.";
    const used = accepted ? derive(letters) : null;
    derivation.replaceChildren();
    if (used) {
      const list = element("ol", "", "derivation");
      used.forEach((p) => list.append(element("li", written(p))));
      derivation.append(element("p", "Derived from " + data.grammar.names[data.grammar.start] + " by", "note"), list);
    }
  };
  const take = (word) => { box.value = word; read(); };
  const fromAddress = () => {
    const given = /^#word=(.*)$/s.exec(location.hash);
    if (!given) return;
    try {
      take(decodeURIComponent(given[1]));
    } catch {
      take(given[1]);
    }
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("input", read);
  for (const button of document.querySelectorAll("button.try")) {
    button.addEventListener("click", () => {
      take(button.dataset.word);
      form.scrollIntoView({ block: "center" });
    });
  }
  window.addEventListener("hashchange", fromAddress);
  form.hidden = false;
  read();
  fromAddress();
})();
