//! The `loupe` program.

fn main() {}
