package program

import (
	"runtime/debug"
	"slices"
	"strings"
)

// version, commit and date are set by the build of a release, with -ldflags "-X ...version=v1.2.3". date is that of the
// commit, so that the same commit gives the same program.
var version, commit, date string

// About is the version with the commit and its date, as far as they are known.
func About() string {
	about := slices.DeleteFunc([]string{commit, date}, func(s string) bool { return s == "" })
	if len(about) == 0 {
		return Version()
	}
	return Version() + " (" + strings.Join(about, ", ") + ")"
}

// Version is the release of the program: the one set by the build, else the one recorded by the Go tool, else
// "unknown".
func Version() string {
	if version != "" {
		return version
	}
	const unknown = "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			const short = 12
			revision = s.Value[:min(short, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changed"
		}
	}
	switch {
	case revision != "":
		return revision + changed
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return unknown
}
