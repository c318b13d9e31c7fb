package program

import "runtime/debug"

// version is set by the build of a release: -ldflags "-X shop.internal/pkg/kit/program.version=v1.2.3".
var version string

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
