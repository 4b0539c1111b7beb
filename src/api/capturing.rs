//! Words that freeze a page in the state that a script brought it to.

use super::Host;
use super::notebook::Taken;
use super::rows::{need, shown};
use crate::browser::Freeze;
use crate::script::{Args, Call, Fault, Kind, Value, Word};

pub(super) const WORDS: &[Word<Host>] = &[
    Word {
        module: "capture",
        name: "take",
        params: &[need("name", Kind::Text, "What this state is called; unique in its scenario.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Freezes the page as it is now, for checks and reports: boxes, texts, styles, roles, and pictures. It comes to rest first, but is not scrolled through.",
        examples: &[shown("select", &["\"as it opens\""])],
        call: Call::Plain(take),
    },
    Word {
        module: "capture",
        name: "shot",
        params: &[need("name", Kind::Text, "What the picture is called; unique in its scenario.")],
        returns: Kind::Nothing,
        live: true,
        doc: "Takes a picture of the viewport as it is now.",
        examples: &[shown("select", &["\"as it opens\""])],
        call: Call::Plain(shot),
    },
];

fn take(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let name = new_name(host, args.text(0))?;
    let how = Freeze { name: name.clone(), sweep: false };
    let frozen = host.block(|page| async move { page.freeze(&how).await })?;
    let pictures = vec![("window".to_owned(), frozen.window), ("full".to_owned(), frozen.full)];
    host.notes.captures.push(Taken { name, capture: frozen.capture, pictures });
    Ok(Value::Null)
}

fn shot(host: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let name = new_name(host, args.text(0))?;
    let png = host.block(|page| async move { page.picture(None).await })?;
    host.notes.pictures.push((name, png));
    Ok(Value::Null)
}

fn new_name(host: &Host, name: String) -> Result<String, Fault> {
    let taken =
        host.notes.captures.iter().any(|t| t.name == name) || host.notes.pictures.iter().any(|(n, _)| *n == name);
    if taken || name.trim().is_empty() {
        return Err(Fault::script(format!(
            "capture: \"{name}\" is empty or already the name of another picture or capture"
        )));
    }
    Ok(name)
}
