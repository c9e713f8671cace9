// Moves through the frames of a training. Tiles are laid out as in the strip: a column for each left side, rows of a
// letter together.
"use strict";
for (const player of document.querySelectorAll(".player")) {
  const data = JSON.parse(player.querySelector("script").textContent);
  const n = data.nonterminals, t = data.alphabet.length, extra = data.shape === "nfa" ? 1 : 0;
  const each = n + extra, rows = t * each + 1;
  const place = (row, head) => {
    const letter = Math.floor(row / each), which = row % each, terminals = extra * t * n;
    if (letter === t) return terminals + t * n * n + head;
    if (extra && which === 0) return letter * n + head;
    return terminals + (letter * n + head) * n + which - extra;
  };
  const bytes = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  const beliefs = data.frames.map((frame) => frame.beliefs.map(bytes));
  const shade = (value) =>
    "rgb(" + data.dark.map((dark, i) => Math.round(dark + (data.bright[i] - dark) * value / 255)).join(",") + ")";

  // Above a column there is room for a number alone; a dot where the grammar has no name for it, unless it names nothing.
  const unnamed = (name, k) => name === "M" + (k + 1);
  const head = (names, k) =>
    names.every(unnamed) ? String(k + 1) : unnamed(names[k], k) ? "·" : names[k].replace(/^A/, "");

  const draw = (canvas, values, tile, pause, labels) => {
    const left = labels ? 92 : 0, top = labels ? 16 : 0;
    const width = left + n * tile, height = top + rows * tile + t * pause;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.font = "11px system-ui, sans-serif";
    for (let row = 0; row < rows; row++) {
      const y = top + row * tile + Math.floor(row / each) * pause;
      if (labels) {
        const letter = data.alphabet[Math.floor(row / each)], which = row % each + (1 - extra);
        const name = row === rows - 1 ? (extra ? "start" : "accepts") : which === 0 ? letter : labels[which - 1] + " " + letter;
        pen.fillStyle = getComputedStyle(canvas).color;
        pen.textAlign = "right";
        pen.fillText(name, left - 8, y + tile - 3, left - 8);
      }
      for (let column = 0; column < n; column++) {
        if (labels && row === 0 && n <= 20) {
          pen.fillStyle = getComputedStyle(canvas).color;
          pen.textAlign = "center";
          pen.fillText(head(labels, column), left + column * tile + tile / 2, 11, tile);
        }
        pen.fillStyle = shade(values[place(row, column)]);
        pen.fillRect(left + column * tile, y, tile - 1, tile - 1);
      }
    }
  };

  const slider = player.querySelector(".player-slider"), moment = player.querySelector(".player-moment");
  const large = document.createElement("canvas");
  large.setAttribute("role", "img");
  player.querySelector(".player-large").append(large);
  let chosen = Math.max(0, data.restarts.indexOf(data.front));
  const small = data.restarts.map((restart, i) => {
    const button = document.createElement("button"), canvas = document.createElement("canvas");
    const name = document.createElement("span"), loss = document.createElement("span");
    button.type = "button";
    name.textContent = restart === data.answer ? restart + " ✓ answer" : restart;
    button.append(canvas, name, document.createElement("br"), loss);
    button.addEventListener("click", () => { chosen = i; show(); });
    player.querySelector(".player-restarts").append(button);
    return { button, canvas, loss };
  });
  const written = (loss) => (loss === null ? "" : loss >= 0.01 ? loss.toFixed(2) : loss >= 1e-6 ? loss.toFixed(-Math.floor(Math.log10(loss))) : "0");
  const show = () => {
    const at = Number(slider.value), frame = data.frames[at];
    const tile = Math.max(3, Math.min(16, Math.floor(620 / n)));
    draw(large, beliefs[at][chosen], tile, 4, data.names[chosen]);
    const loss = frame.losses[chosen];
    moment.textContent = "restart " + data.restarts[chosen] + ", epoch " + Math.min(frame.epochs, data.ends[chosen] ?? Infinity)
      + (loss === null ? "" : ", loss " + written(loss));
    large.setAttribute("aria-label", "Beliefs of " + moment.textContent);
    small.forEach(({ button, canvas, loss }, i) => {
      draw(canvas, beliefs[at][i], n > 12 ? 2 : 5, 2, null);
      loss.textContent = written(frame.losses[i]);
      button.setAttribute("aria-pressed", String(i === chosen));
    });
  };
  slider.max = String(data.frames.length - 1);
  slider.value = slider.max;
  slider.addEventListener("input", show);
  const play = player.querySelector(".player-play");
  let timer = null;
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (slider.value === slider.max) slider.value = "0";
    play.textContent = "Pause";
    show();
    timer = setInterval(() => {
      if (slider.value === slider.max) return stop();
      slider.value = String(Number(slider.value) + 1);
      show();
    }, 250);
  });
  if (window.matchMedia) window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  player.hidden = false;
  show();
}
