//! Words that compute. They need no page, and answer only where the figure is defined.

use super::Host;
use super::rows::{may, need, plain};
use crate::script::{Args, Call, Fault, Kind, Value, Word};
use crate::stats;

pub(super) const WORDS: &[Word<Host>] = &[
    Word {
        module: "stats",
        name: "mean",
        params: &[need("values", Kind::List(&Kind::Number), "The values; at least one.")],
        returns: Kind::Number,
        live: false,
        doc: "The arithmetic mean.",
        examples: &[plain(&["[1, 2, 6]"], "3.0")],
        call: Call::Plain(|_, args| summary(args, stats::mean)),
    },
    Word {
        module: "stats",
        name: "median",
        params: &[need("values", Kind::List(&Kind::Number), "The values; at least one.")],
        returns: Kind::Number,
        live: false,
        doc: "The middle value, or the mean of the two middle ones.",
        examples: &[plain(&["[5, 1, 2]"], "2.0"), plain(&["[1, 2, 3, 10]"], "2.5")],
        call: Call::Plain(|_, args| summary(args, stats::median)),
    },
    Word {
        module: "stats",
        name: "wilson",
        params: &[
            need("successes", Kind::Int, "How many succeeded."),
            need("trials", Kind::Int, "Of how many; at least 1."),
            may("level", Kind::Number, "The confidence level; 0.95 if left out."),
        ],
        returns: Kind::Map,
        live: false,
        doc: "A proportion with its Wilson score interval: `estimate`, `low`, `high`. Honest for small numbers, where \"estimate ± error\" is not.",
        examples: &[plain(&["0", "10"], "{\"estimate\": 0.0, \"high\": 0.2775327998628892, \"low\": 0.0}")],
        call: Call::Plain(wilson),
    },
];

fn summary(mut args: Args, figure: fn(&[f64]) -> Result<f64, stats::Undefined>) -> Result<Value, Fault> {
    let values: Vec<f64> =
        args.list(0).iter().filter_map(|v| if let Value::Float(x) = v { Some(*x) } else { None }).collect();
    figure(&values).map(Value::Float).map_err(|why| Fault::script(why.to_string()))
}

fn wilson(_: &mut Host, mut args: Args) -> Result<Value, Fault> {
    let count = |n: Option<f64>| n.filter(|n| *n >= 0.0).map_or(u64::MAX, |n| n as u64);
    let (successes, trials, level) = (count(args.number(0)), count(args.number(1)), args.number(2).unwrap_or(0.95));
    let interval = stats::wilson(successes, trials, level).map_err(|why| Fault::script(why.to_string()))?;
    let fields = [("estimate", interval.estimate), ("low", interval.low), ("high", interval.high)];
    Ok(Value::Map(fields.map(|(name, x)| (name.to_owned(), Value::Float(x))).into()))
}
