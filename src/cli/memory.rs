//! How much memory there is, and how much of it this process uses, its solvers included. Known on Linux alone.

/// The option of every command that can need much memory.
#[derive(clap::Args, Default)]
pub(super) struct Memory {
    /// How much memory may be used, the solver's included: `512M`, `4G`; 0 for any. Work that needs more ends, and what it
    /// was to find out is unknown. Without it, three quarters of what there is. (Linux only; elsewhere nothing is limited)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,
}

impl Memory {
    /// How many megabytes may be used.
    pub fn limit(&self) -> Option<u64> {
        match self.memory {
            Some(0) => None,
            Some(given) => Some(given),
            None => available().map(|all| all / 4 * 3),
        }
    }
}

/// `512M`, `4G`; in megabytes.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "give a size as `512M` or `4G`, or 0 for any".to_owned();
    let text = text.trim();
    if text == "0" {
        return Ok(0);
    }
    let text = text.strip_suffix(['B', 'b']).unwrap_or(text);
    let text = text.strip_suffix(['i', 'I']).unwrap_or(text);
    let unit = text.chars().last().ok_or_else(wrong)?;
    let number = text.strip_suffix(unit).unwrap_or(text).trim();
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let megabytes = match unit.to_ascii_uppercase() {
        'K' => number / 1024.0,
        'M' => number,
        'G' => number * 1024.0,
        'T' => number * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    if !(0.0..=1e12).contains(&megabytes) {
        return Err(wrong());
    }
    // Less than a megabyte is no memory at all, which is not the same as any.
    Ok((megabytes as u64).max(1))
}

/// How many megabytes this process uses.
pub(super) fn resident() -> Option<u64> {
    kilobytes("/proc/self/status", "VmRSS:").map(|used| used / 1024)
}

/// How many megabytes there are: those of the machine, or of the part of it that the process may use.
fn available() -> Option<u64> {
    let machine = kilobytes("/proc/meminfo", "MemTotal:")? / 1024;
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = groups.iter().filter_map(|path| {
        let bytes: u64 = std::fs::read_to_string(path).ok()?.trim().parse().ok()?;
        Some(bytes >> 20)
    });
    Some(limits.fold(machine, u64::min))
}

/// A number in a file of the kernel's.
fn kilobytes(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("512M"), Ok(512));
        assert_eq!(size("4G"), Ok(4096));
        assert_eq!(size("1.5GiB"), Ok(1536));
        assert_eq!(size("64kB"), Ok(1));
        assert_eq!(size("0"), Ok(0));
        for wrong in ["", "4", "G", "-1G", "4 apples", "nanG"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
