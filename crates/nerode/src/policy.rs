//! The content security policy of pages: a browser runs and fetches nothing but what is in the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The policy is inserted after this, before everything it governs.
const CHARSET: &str = "<meta charset=\"utf-8\">\n";

/// The page with a policy that allows its own styles and scripts, by hash, and nothing else: no network, no frames, no
/// plugins, no submitted forms. Data in script elements with a `type` needs no permission.
#[must_use]
pub fn with_policy(page: &str) -> String {
    let mut styles = hashes(page, "<style>", "</style>");
    let attributes = hashes(page, "<div style=\"", "\"");
    if !attributes.is_empty() {
        // Without this keyword, hashes apply to elements only, not to attributes.
        styles.push("'unsafe-hashes'".to_owned());
        styles.extend(attributes);
    }
    let scripts = hashes(page, "<script>", "</script>");
    let mut policy = "default-src 'none'".to_owned();
    for (name, allowed) in [("style-src", styles), ("script-src", scripts)] {
        if !allowed.is_empty() {
            policy += &format!("; {name} {}", allowed.join(" "));
        }
    }
    policy += "; base-uri 'none'; form-action 'none'";
    let meta = format!("{CHARSET}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n");
    page.replacen(CHARSET, &meta, 1)
}

/// The hashes of everything between these two, each once. Text in a page is escaped, so that tags in it are its own.
fn hashes(page: &str, begin: &str, end: &str) -> Vec<String> {
    let mut hashes: Vec<String> = page
        .split(begin)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(end)?.0))
        .map(|content| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content))))
        .collect();
    hashes.sort();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes are those of `printf %s TEXT | openssl dgst -sha256 -binary | base64`.
    #[test]
    fn what_a_page_uses_is_allowed_and_nothing_else() {
        let page = "<head>\n<meta charset=\"utf-8\">\n<style>a{}</style></head><div style=\"b\"><p>&lt;script&gt;\
                    <script type=\"application/json\">{}</script><script>c</script>";
        let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
                      style-src 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=' 'unsafe-hashes' \
                      'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='; \
                      script-src 'sha256-Ln0sA6lQeuJl7PW1NWiFpTOTogKdJBOUmXJloaJa78Y='; \
                      base-uri 'none'; form-action 'none'\">\n";
        assert_eq!(with_policy(page), page.replacen("\n<style>", &format!("\n{policy}<style>"), 1));
        let plain = with_policy("<meta charset=\"utf-8\">\n");
        assert!(plain.contains("content=\"default-src 'none'; base-uri 'none'; form-action 'none'\""), "{plain}");
    }
}
