package storefront

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// recorder is a proxy between a service and its MySQL that records the statements.
type recorder struct {
	dsn string

	mu         sync.Mutex
	statements []string
}

// record returns a recorder in front of the server of a DSN; its own dsn leads through it.
func record(b *testing.B, dsn string) *recorder {
	b.Helper()
	c, err := mysql.ParseDSN(dsn)
	require.NoError(b, err)
	server := c.Addr
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	b.Cleanup(func() { _ = l.Close() })
	c.Net, c.Addr = "tcp", l.Addr().String()
	r := &recorder{dsn: c.FormatDSN()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return // closed
			}
			go r.pass(client, server)
		}
	}()
	return r
}

// pass forwards one connection until either side closes it.
func (r *recorder) pass(client net.Conn, server string) {
	defer client.Close()
	up, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer up.Close()
	go func() { _, _ = io.Copy(client, up); _ = client.Close() }()
	in := bufio.NewReader(client)
	for {
		packet, err := readPacket(in)
		if err != nil {
			return
		}
		const query = 3 // the command of the protocol
		if packet[3] == 0 && len(packet) > 4 && packet[4] == query {
			r.keep(string(packet[5:]))
		}
		if _, err := up.Write(packet); err != nil {
			return
		}
	}
}

// readPacket reads three bytes of length, one of sequence, and the payload.
func readPacket(in *bufio.Reader) ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32([]byte{head[0], head[1], head[2], 0})
	packet := make([]byte, 4+length)
	copy(packet, head)
	_, err := io.ReadFull(in, packet[4:])
	return packet, err
}

func (r *recorder) keep(statement string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = append(r.statements, statement)
}

// take returns the statements since the last call.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.statements
	r.statements = nil
	return all
}

var (
	literal = regexp.MustCompile(`(_binary)?'(?:[^'\\]|\\.|'')*'|\b\d+(?:\.\d+)?\b`)
	blanks  = regexp.MustCompile(`\s+`)
	around  = regexp.MustCompile(` ?([,=()]) ?`)
)

// shape is a statement without its values.
func shape(statement string) string {
	valueless := strings.NewReplacer("-?", "?", "`", "").Replace(literal.ReplaceAllString(statement, "?"))
	return strings.TrimSpace(around.ReplaceAllString(blanks.ReplaceAllString(valueless, " "), "$1"))
}
