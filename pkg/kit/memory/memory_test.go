package memory

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLimit(t *testing.T) {
	const gib = 1 << 30
	tests := map[string]struct {
		files map[string]string
		env   map[string]string
		want  int64
	}{
		"no Linux": {nil, nil, 0},
		"version 2, in a container": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n",
		}, nil, gib / 100 * 90},
		"version 2, no limit": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n",
		}, nil, 0},
		"version 2, a group around has the lowest": {map[string]string{
			"proc/self/cgroup":                 "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max":     "2147483648\n",
			"sys/fs/cgroup/a/memory.max":       "1073741824\n",
			"sys/fs/cgroup/other/memory.max":   "1024\n",
			"sys/fs/cgroup/a/b/c/d/memory.max": "1024\n",
		}, nil, gib / 100 * 90},
		"version 1, the name of the group outside": {map[string]string{
			"proc/self/cgroup":                           "5:cpu,cpuacct:/docker/7\n4:memory:/docker/7\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
		}, nil, gib / 100 * 90},
		"version 1, no limit": {map[string]string{
			"proc/self/cgroup":                           "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, nil, 0},
		"both versions": {map[string]string{
			"proc/self/cgroup": "4:memory:/x\n0::/x\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "1073741824\n",
		}, nil, gib / 100 * 90},
		"a malformed file": {map[string]string{
			"proc/self/cgroup": "0\n\n0::/\n", "sys/fs/cgroup/memory.max": "lots\n",
		}, nil, 0},
		"set by hand": {map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n",
		}, map[string]string{"GOMEMLIMIT": "off"}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range tt.files {
				file = filepath.Join(root, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			}
			require.Equal(t, tt.want, wanted(func(name string) (string, bool) {
				v, ok := tt.env[name]
				return v, ok
			}, root))
		})
	}
}
