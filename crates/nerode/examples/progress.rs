//! Shows progress, and stops after half a second from another thread with the best answer so far.
#![allow(clippy::print_stdout, reason = "this is an example")]

use std::time::Duration;

use nerode::{Event, Options, Session, examples};

fn main() -> Result<(), nerode::Error> {
    // Labels by chance: whatever explains them is large.
    let words: Vec<String> = (0..200_u32).map(|i| format!("{:032b}", i.wrapping_mul(2_654_435_761))).collect();
    let mut session = Session::new(&examples::of_words(&words[..100], &words[100..])?, Options::default(), 2)?;
    let stop = session.stopper();
    std::thread::spawn(move || (std::thread::sleep(Duration::from_millis(500)), stop.stop()));
    while let Event::Progress(progress) = session.step()? {
        println!("{}: best {:?}", progress.stage, progress.best.map(|best| best.states));
    }
    println!("{:?}", session.finish()?.answer.stop_reason);
    Ok(())
}
