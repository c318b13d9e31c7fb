package program

import (
	"runtime/debug"
	"slices"
	"strings"
)

// version, commit and date are set by the build of a release, with -ldflags "-X ...version=v1.2.3". date is that of the
// commit, so that the same commit gives the same program.
var version, commit, date string

// About is the version with the commit and its date, as far as they are known and no part of it.
func About() string {
	about := slices.DeleteFunc([]string{commit, date}, func(s string) bool { return strings.Contains(version, s) })
	if len(about) == 0 {
		return Version()
	}
	return Version() + " (" + strings.Join(about, ", ") + ")"
}

// Version is the release of the program: the one set by the build, a tag such as v1.2.3 or the date and the commit;
// else what the Go tool has recorded, in the same form; else "unknown".
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return recorded(info)
	}
	return unknown
}

const unknown = "unknown"

// recorded is the version in what the Go tool has recorded.
func recorded(info *debug.BuildInfo) string {
	revision, day, changed := "", "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			const short = 12
			revision = s.Value[:min(short, len(s.Value))]
		case s.Key == "vcs.time":
			day, _, _ = strings.Cut(s.Value, "T")
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "-dirty"
		}
	}
	switch {
	case revision != "" && day != "":
		return day + "-" + revision + changed
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return unknown
}
