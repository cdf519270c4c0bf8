//! `pnet view` as somebody sees it: the page in a browser, driven through WebDriver.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::common::browser::Browser;
use crate::common::served::Served;

const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const END: &str = "\u{e010}";
const ENTER: &str = "\u{e007}";

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("view_{name}.pnet"));
    std::fs::write(&path, text).unwrap();
    path
}

impl Browser {
    /// Waits until the walk is so far.
    fn at(&self, count: &str) {
        self.until(&format!("document.getElementById('count').textContent === '{count}'"));
    }

    /// Has random steps be the same ones each time.
    fn seeded(&self, seed: u32) {
        self.run(&format!("crypto.getRandomValues = (all) => all.fill({seed})"));
    }

    /// Loads the page again once the walk is in the address, where it is written a moment later.
    fn reload_at(&self, part: &str) {
        self.until(&format!("location.hash.includes('{part}')"));
        self.reload();
    }

    /// Chooses a picture by its key, and waits until it is there, of the place where the walk is.
    fn look(&self, key: &str, view: &str) {
        self.press(key);
        self.shows(view);
    }

    /// Waits until the panel shows a picture of the place where the walk is, and no other place was gone to.
    fn shows(&self, view: &str) {
        self.until(&format!(
            "(({{ dataset, ariaBusy }}) => ariaBusy === 'false' && document.getElementById('steps').ariaBusy === 'false' && dataset.shown === '{view} ' + parseInt(document.getElementById('count').textContent, 10))(document.getElementById('canvas'))"
        ));
    }

    /// Nothing was said on the console, and no policy was violated.
    fn is_content(&self) {
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }

    fn is_there(&self, selector: &str) -> bool {
        self.run(&format!("return document.querySelector('{selector}') !== null"))
            == Value::Bool(true)
    }

    /// Marks the check that has a text, so that it can be named `#this`.
    fn check(&self, text: &str) {
        let found = self.run(&format!(
            "document.getElementById('this')?.removeAttribute('id');
             const found = [...document.querySelectorAll('.v-check')].find((one) => one.querySelector('h3').textContent.includes({text:?}));
             if (found) found.id = 'this';
             return Boolean(found)"
        ));
        assert_eq!(found, Value::Bool(true), "there is no check {text}");
    }
}

/// Whether `pnet replay` takes a run.
fn is_run(text: &str, model: &str) -> bool {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("view_browser_run.json");
    std::fs::write(&path, text).unwrap();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_pnet"));
    replay.arg("replay").arg(&path).arg(model).output().unwrap().status.success()
}

#[test]
fn a_walk_there_and_back() {
    let Some(browser) = Browser::start("walk") else { return };
    let model = "examples/philosophers.pnet";
    let served = Served::of(&[model, "Stubborn<3>"]);
    browser.go(&served.address());
    // The token is no longer in the address.
    assert!(!browser.text("location.href").contains("token"));
    browser.click("#steps .v-step");
    browser.at("1 of 1");
    browser.press("2");
    browser.at("2 of 2");
    browser.until("document.querySelectorAll('#canvas .lit').length === 6");
    assert!(
        browser.run("return document.querySelectorAll('#canvas .arrow.moved').length").as_u64()
            >= Some(2)
    );
    browser.press(LEFT);
    browser.at("1 of 2");
    // A reload changes nothing: what was taken back is still there.
    browser.reload_at("at=1");
    browser.at("1 of 2");
    assert_eq!(browser.run("return document.querySelectorAll('#run .v-later').length"), 1);
    browser.press(END);
    browser.at("2 of 2");
    // What is not possible is said with its reason.
    browser.until("document.querySelector('#impossible .v-why')?.textContent.includes('is in')");
    // To a goal, which is a deadlock.
    browser.write("#property", "forall i: 0..n . P[i] in hungry");
    browser.press(ENTER);
    browser.until("document.querySelector('#steps .v-end-of-run.v-wrong')");
    assert!(browser.text("document.getElementById('live').textContent").contains("deadlock"));
    browser.run("document.activeElement.blur()");
    // All pictures; one more step back from the chart.
    for (key, view, what) in [
        ("a", "automaton", "svg [data-state].lit"),
        ("e", "around", "svg .place.lit"),
        ("h", "chart", "svg .step"),
        ("l", "lanes", ".v-lanes"),
        ("n", "picture", "svg .lit"),
    ] {
        browser.look(key, view);
        assert!(browser.is_there(&format!("#canvas {what}")), "{view}");
    }
    browser.press(LEFT);
    browser.look("e", "around");
    browser.until("document.querySelector('#canvas .goes[role=button]')");
    let before = browser.text("document.getElementById('count').textContent");
    browser.run("document.querySelector('#canvas .goes[role=button]').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))");
    browser.until(&format!("document.getElementById('count').textContent !== '{before}'"));
    // The run as text.
    browser.click("#copy");
    browser.until("document.getElementById('runtext')?.value");
    let text = browser.text("document.getElementById('runtext').value");
    assert!(is_run(&text, model), "{text}");
    browser.click("#dialog form button");
    let count = browser.text("document.querySelectorAll('#run li').length - 1");
    browser.click("#paste");
    browser.run(&format!("document.getElementById('runtext').value = {text:?}"));
    browser.click("#use");
    browser.at(&format!("0 of {count}"));
    browser.press(RIGHT);
    browser.at(&format!("1 of {count}"));
    // What is wrong is said on the page, and is no error of the page.
    browser.write("#property", "P[0] in nowhere");
    browser.press(ENTER);
    browser.until("document.getElementById('notice').classList.contains('v-wrong')");
    assert!(browser.text("document.getElementById('notice').textContent").contains("nowhere"));
    browser.is_content();
}

/// Focus, names for those who do not see, and the order of tabs.
#[test]
fn without_eyes_and_without_a_mouse() {
    let Some(browser) = Browser::start("keys") else { return };
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    browser.go(&served.address());
    browser.run("document.querySelector('#steps .v-step').focus()");
    browser.press(ENTER);
    browser.at("1 of 1");
    // The focus is not lost with the list.
    browser.until("document.activeElement.matches('#steps .v-step')");
    browser.run("document.getElementById('tab-picture').focus()");
    browser.press(RIGHT);
    browser.until("document.activeElement.id === 'tab-automaton' && document.activeElement.ariaSelected === 'true'");
    assert_eq!(
        browser.run("return document.querySelectorAll('#views [tabindex=\"0\"]').length"),
        1
    );
    browser.press("?");
    browser.until("document.getElementById('dialog').open");
    // Everything that can be pressed has a name, and everything that is chosen says so.
    let nameless = browser.run(
        "return [...document.querySelectorAll('button, input, select, textarea, [role=tab], [role=button]')]
            .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.closest('label')?.textContent.trim())).map((one) => one.outerHTML)",
    );
    assert_eq!(nameless.as_array().unwrap().len(), 0, "{nameless:#}");
    browser.is_content();
}

const ENDLESS: &str = "\
action tick;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 1000000000 do n := n + 1;
}

check always(Clock, n != 3);
check deadlock_free(Clock);
";

#[test]
fn checks_plays_and_stops() {
    let Some(browser) = Browser::start("checks") else { return };
    let served = Served::of(&["examples/prod_cons.pnet", "ProdCons<4>"]);
    browser.go(&served.address());
    browser.press("c");
    // A play, on the pictures of both nets.
    browser.check("not refines(ProdCons<4>, SimProdCons)");
    browser.click("#this .v-row button");
    browser.until("document.querySelector('#this .v-verdict')?.textContent === 'proved'");
    browser.click("#this [data-move='0']");
    browser.until("document.querySelectorAll('.v-figure .lit').length >= 2");
    assert!(
        browser.text("document.getElementById('playtold').textContent").contains("answers push")
    );
    browser.press(RIGHT);
    browser.until("document.getElementById('playtold').textContent.includes('no answer')");
    // A relation, by state.
    browser.check("refines(SimProdCons, ProdCons<2>) tracking");
    browser.click("#this .v-row button");
    browser.until("document.querySelectorAll('#this table tr').length === 3");
    // What is known of the checks stays, with another net and after a reload.
    browser.run("document.getElementById('net').value = 'SimProdCons'; document.getElementById('net').dispatchEvent(new Event('change'))");
    browser.until("document.title.startsWith('SimProdCons')");
    browser.until("document.querySelectorAll('.v-verdict').length === 2");
    browser.reload_at("net=SimProdCons");
    browser.until("document.title.startsWith('SimProdCons')");
    browser.until("document.querySelectorAll('.v-verdict').length === 2");
    browser.is_content();

    // A check that runs for ever is stopped; a run that refutes one is walked through.
    let path = file("endless", ENDLESS);
    let served = Served::of(&[path.to_str().unwrap()]);
    browser.go(&served.address());
    browser.press("c");
    browser.check("deadlock_free");
    browser.click("#this .v-row button");
    browser.until("document.querySelector('#this .v-found').textContent.includes(' s ')");
    // Meanwhile a step can be made.
    browser.press("1");
    browser.at("1 of 1");
    browser.click("#this .v-row button:nth-child(2)");
    browser.until("!document.querySelector('#this .v-row button').disabled");
    assert!(
        browser.text("document.querySelector('#this .v-found').textContent").contains("stopped")
    );
    browser.check("n != 3");
    browser.click("#this .v-row button");
    browser.until("document.querySelector('#this .v-walk')");
    browser.click("#this .v-walk");
    browser.at("0 of 3");
    browser.press(RIGHT);
    browser.at("1 of 3");
    browser.until("document.querySelector('#source .v-moved')");
    browser.is_content();
}

#[test]
fn holes_are_played() {
    let Some(browser) = Browser::start("holes") else { return };
    let model = "examples/open_account.pnet";
    let served = Served::of(&[model, "Bank"]);
    browser.go(&served.address());
    // Nothing is known without values; one click names some.
    browser.click("#trythem");
    browser.until("document.querySelectorAll('#steps .v-step').length > 3");
    browser.until("location.hash.includes('domain=Int')");
    // A value that is not tried, written by whoever plays the hole.
    browser.write("[data-hole=One] input", "deposit(70)");
    browser.press(ENTER);
    browser.at("1 of 1");
    browser.until("document.getElementById('state').textContent.includes('balance = 70')");
    // What a hole cannot do is said with what it can.
    browser.write("[data-hole=One] input", "refuse(1)");
    browser.press(ENTER);
    browser.until("document.getElementById('notice').textContent.includes('cannot do')");
    // Only steps in which a hole does something.
    let all = browser.run("return document.querySelectorAll('#steps .v-step').length").as_u64();
    browser.click(".v-hole:nth-child(2) .v-chip");
    browser.until("document.querySelector('.v-hole:nth-child(2) .v-chip').ariaPressed === 'true'");
    let some = browser.run("return document.querySelectorAll('#steps .v-step').length").as_u64();
    assert!(some < all && some > Some(0), "{some:?} of {all:?}");
    // It survives a reload, and is a run.
    browser.reload_at("run=");
    browser.at("1 of 1");
    browser.until("document.getElementById('state').textContent.includes('balance = 70')");
    browser.click("#copy");
    browser.until("document.getElementById('runtext')?.value");
    let text = browser.text("document.getElementById('runtext').value");
    assert!(is_run(&text, model), "{text}");
    browser.is_content();
}

/// A net that cannot be run, since a constant has no value: it is said, and its picture and checks are shown.
#[test]
fn what_cannot_begin_is_shown_all_the_same() {
    let Some(browser) = Browser::start("begin") else { return };
    let served = Served::of(&["examples/failure_monitor_bip.pnet"]);
    browser.go(&served.address());
    browser.shows("picture");
    assert!(browser.is_there("#canvas svg"));
    assert!(browser.text("document.getElementById('steps').textContent").contains("--set Max"));
    browser.press("c");
    assert!(browser.is_there(".v-check"));
    browser.is_content();
}

const ODD: &str = "\
action `<` , `\"quoted\" & 'co' 😀`;

/// <script>document.title = 'broken'</script>
process `P & \"Q\" 😀` {
    init state `a&b`;
    state `\"c\"`;

    `a&b` -> `\"c\"` : `\"quoted\" & 'co' 😀`;
    `\"c\"` -> `a&b` : `\"quoted\" & 'co' 😀`;
}

net `N & M` {
    sub `x\"y` = `P & \"Q\" 😀`;

    <`x\"y`: `\"quoted\" & 'co' 😀`> -> `\"quoted\" & 'co' 😀`;
}

check always(`N & M`, `x\"y` in `a&b`);
";

/// Names with odd characters, two pages at once, and a model that changes, is broken and goes.
#[test]
fn odd_names_and_files_that_change() {
    let Some(browser) = Browser::start("odd") else { return };
    let odd = ODD.replace("`<` , ", "");
    let path = file("odd", &odd);
    let served = Served::of(&[path.to_str().unwrap()]);
    browser.go(&served.address());
    browser.press("1");
    browser.at("1 of 1");
    browser.until("document.getElementById('state').textContent.includes('\"c\"')");
    browser.until("document.querySelector('#canvas .arrow.moved')");
    assert_eq!(browser.text("document.title"), "`N & M` · pnet");
    browser.press("c");
    browser.check("always");
    browser.click("#this .v-row button");
    browser.until("document.querySelector('#this .v-walk')");
    // Another page looks at another net; this one does not notice.
    let (other, first) = browser.another();
    browser.switch(&other);
    browser.go(&served.address());
    browser.run("const net = document.getElementById('net'); net.value = net.options[0].value; net.dispatchEvent(new Event('change'))");
    browser.until("document.title.startsWith('`P')");
    browser.press("1");
    browser.at("1 of 1");
    browser.switch(&first);
    browser.press("1");
    browser.at("2 of 2");
    assert_eq!(browser.text("document.title"), "`N & M` · pnet");
    // It is saved with an error, which the page shows; what was shown stays.
    std::fs::write(&path, odd.replace("state `\"c\"`;", "state")).unwrap();
    browser.until("document.getElementById('reread')");
    browser.click("#reread");
    browser.until("document.getElementById('notice').textContent.includes('error[')");
    browser.press(LEFT);
    browser.at("1 of 2");
    // It goes, and comes back with one transition less.
    std::fs::remove_file(&path).unwrap();
    browser.until("document.getElementById('reread')");
    browser.click("#reread");
    browser.until("document.getElementById('notice').textContent.includes('cannot be read')");
    let less = odd.replace("    `\"c\"` -> `a&b` : `\"quoted\" & 'co' 😀`;\n", "");
    std::fs::write(&path, less).unwrap();
    browser.press(RIGHT);
    browser.at("2 of 2");
    browser.until("document.getElementById('reread')");
    browser.click("#reread");
    browser.at("0 of 0");
    browser.until("document.getElementById('notice').textContent.includes('begins again')");
    browser.is_content();
}

/// The picture of the automaton shows where the walk went, and what it goes round.
#[test]
fn a_lasso_is_seen_on_the_automaton() {
    let Some(browser) = Browser::start("lasso") else { return };
    let model = "action on, go, back;\nprocess P {\n    init state s;\n    state t, u;\n    s -> t : on;\n    t -> u : go;\n    u -> t : back;\n}\n";
    let path = file("lasso", model);
    let served = Served::of(&[path.to_str().unwrap()]);
    browser.go(&served.address());
    let marked = |class: &str| {
        browser.run(&format!("return document.querySelectorAll('#canvas .arrow{class}').length"))
    };
    browser.look("a", "automaton");
    assert_eq!(marked(".taken"), 0);
    for (step, taken, round) in [(1, 1, 0), (2, 2, 0), (3, 3, 2)] {
        browser.press("r");
        browser.at(&format!("{step} of {step}"));
        browser.shows("automaton");
        assert_eq!((marked(".taken"), marked(".round")), (taken.into(), round.into()), "{step}");
    }
    browser.press(LEFT);
    browser.at("2 of 3");
    browser.shows("automaton");
    assert_eq!((marked(".taken"), marked(".round")), (2.into(), 0.into()));
    browser.is_content();
}

/// Six systems, at the size of a screen and of a phone, by day and by night: no text lies on another one, and all can be read.
#[test]
fn every_label_can_be_read() {
    let Some(browser) = Browser::start("labels") else { return };
    let script = include_str!("view_overlaps.js");
    for arguments in [
        &["examples/enable.pnet", "--domain", "Data=2"][..],
        &["examples/ring.pnet", "Ring<5>"],
        &["examples/prod_cons.pnet", "ProdCons<4>", "--domain", "Msg=2"],
        &["examples/philosophers.pnet", "Stubborn<5>"],
        &["examples/two_monitors.pnet", "--domain", "Int=0..3"],
        &["examples/sensor_field.pnet"],
    ] {
        let served = Served::of(arguments);
        for (width, height, phone) in [(1280, 800, false), (390, 844, true)] {
            browser.size(width, height, phone);
            browser.dark(phone);
            browser.go(&served.address());
            browser.seeded(7);
            browser.press("r");
            browser.until("document.getElementById('count').textContent !== '0 of 0'");
            browser.press("R");
            browser.until("document.getElementById('forward').disabled && !/^[012] of/.test(document.getElementById('count').textContent)");
            for (key, view, what) in [
                ("n", "picture", "svg .lit"),
                // One with very many states is a table; one that takes too long on a busy machine is told to.
                ("a", "automaton", ":is(svg .lit, svg .vectors, p.v-empty)"),
                ("e", "around", "svg .lit"),
                ("h", "chart", "svg .step"),
                ("l", "lanes", ".v-lanes"),
            ] {
                browser.look(key, view);
                assert!(browser.is_there(&format!("#canvas {what}")), "{arguments:?}, {key}");
                // As a whole, letters may be too small; at 100 % they are not.
                browser.run("document.getElementById('full').click()");
                let found = browser.run(script);
                assert!(found["texts"].as_u64() > Some(40), "{found:#}");
                let wrong = found["lies"].as_array().unwrap().len()
                    + found["small"].as_array().unwrap().len();
                assert_eq!(wrong, 0, "{arguments:?} at {width}, {key}: {found:#}");
            }
            // Words that head a table are not broken.
            let heads = "return [...document.querySelectorAll('#state th')].every((one) => one.getBoundingClientRect().height < 30)";
            assert_eq!(browser.run(heads), true, "{arguments:?} at {width}");
            // Nothing hangs over the side.
            assert_eq!(
                browser.run("return document.documentElement.scrollWidth <= innerWidth"),
                true,
                "{arguments:?} at {width}"
            );
        }
        browser.leave();
    }
    browser.is_content();
}

/// A picture that is larger than its panel: as a whole at first, then by keys, wheel and buttons, and where the walk is stays in sight.
#[test]
fn large_pictures_fit_and_are_made_larger() {
    let Some(browser) = Browser::start("zoom") else { return };
    let served = Served::of(&["examples/ring.pnet", "Ring<12>"]);
    browser.go(&served.address());
    let is_whole = "return document.getElementById('canvas').scrollWidth <= document.getElementById('canvas').clientWidth && document.getElementById('canvas').scrollHeight <= document.getElementById('canvas').clientHeight";
    browser.seeded(1);
    browser.shows("picture");
    assert_eq!(browser.run(is_whole), true);
    assert_ne!(browser.text("document.getElementById('full').textContent"), "100 %");
    let scale = "return document.querySelector('#canvas svg').getBoundingClientRect().width / document.querySelector('#canvas svg').viewBox.baseVal.width";
    let scale = |browser: &Browser| browser.run(scale).as_f64().unwrap();
    let whole = scale(&browser);
    // 0 goes to 100 % and back.
    browser.press("0");
    assert_eq!(browser.text("document.getElementById('full').textContent"), "100 %");
    assert!((scale(&browser) - 1.0).abs() < 0.02);
    assert_eq!(browser.run(is_whole), false);
    // Where the walk is can be seen after each step, also where whoever moves is one of those that stand behind a gap.
    let seen = "const frame = document.getElementById('canvas').getBoundingClientRect();
        return [...document.querySelectorAll('#canvas :is(.arrow, .gap).moved')].some((one) => { const box = one.getBoundingClientRect();
          return box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom; })";
    for step in 1..6 {
        browser.press("r");
        browser.at(&format!("{step} of {step}"));
        browser.shows("picture");
        assert!(browser.is_there("#canvas :is(.arrow, .gap).moved"), "step {step}");
        assert_eq!(browser.run(seen), true, "step {step}");
    }
    browser.press("0");
    assert!((scale(&browser) - whole).abs() < 0.02);
    browser.press("+");
    assert!(scale(&browser) > whole * 1.2);
    browser.press("-");
    assert!((scale(&browser) - whole).abs() < 0.02);
    // The wheel, with Ctrl: the place under the pointer stays where it is.
    let wheel = "const room = document.getElementById('canvas'); const svg = room.querySelector('svg');
        const [x, y] = [room.getBoundingClientRect().left + 200, room.getBoundingClientRect().top + 150];
        const part = () => { const box = svg.getBoundingClientRect(); return (x - box.left) / box.width; };
        for (let turn = 0; turn < 8; turn += 1) room.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, ctrlKey: true, clientX: x, clientY: y, bubbles: true, cancelable: true }));
        const before = part();
        room.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, ctrlKey: true, clientX: x, clientY: y, bubbles: true, cancelable: true }));
        return Math.abs(part() - before) < 0.02";
    assert_eq!(browser.run(wheel), true);
    assert!(scale(&browser) > whole * 4.0);
    browser.click("#fit");
    assert_eq!(browser.run(is_whole), true);
    // Where a notice takes some of the room, it is still the whole picture.
    let high = "document.getElementById('canvas').clientHeight";
    let before = browser.text(high);
    browser.write("#property", "S[0] in nowhere");
    browser.press(ENTER);
    browser.until(&format!("{high} < {before}"));
    browser.until(is_whole.trim_start_matches("return "));
    // A chart that is wider than its panel is read from its left.
    browser.run("document.activeElement.blur()");
    browser.look("h", "chart");
    assert_eq!(browser.run("return document.getElementById('canvas').scrollLeft < 100"), true);
    // What has no picture has no size.
    browser.look("l", "lanes");
    assert_eq!(browser.text("document.getElementById('full').textContent"), "–");
    browser.is_content();
}
