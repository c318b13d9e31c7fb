package statemachine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/statemachine"
)

const (
	open = iota + 1
	running
	closed
)

func door() statemachine.Machine[int, string] {
	return statemachine.New(map[int]map[string]int{
		open: {"run": running, "close": closed}, running: {"close": closed, "toggle": open}, closed: {"toggle": running},
	})
}

func TestMachine(t *testing.T) {
	m := door()
	to, ok := m.Next(open, "run")
	require.True(t, ok)
	require.Equal(t, running, to)
	_, ok = m.Next(closed, "run")
	require.False(t, ok)
	_, ok = m.Next(7, "run")
	require.False(t, ok, "there is no such state")
	require.Equal(t, []int{open, running}, m.From("close"))
	require.Empty(t, m.From("fly"))
	require.Equal(t, closed, m.To("close"))
	require.Equal(t, []int{open, running, closed}, m.States())
	require.Equal(t, []string{"close", "toggle"}, m.Events(running))
	require.False(t, m.Final(closed))
	require.Equal(t, []statemachine.Step[int]{{open, closed}, {open, running}, {running, closed}, {running, open}, {closed, running}},
		m.Steps())
	require.True(t, statemachine.New(map[int]map[string]int{1: {}}).Final(1))
}

func TestBadTables(t *testing.T) {
	require.PanicsWithValue(t, "state machine: go in 1 leads to 2, which is no state", func() {
		statemachine.New(map[int]map[string]int{1: {"go": 2}})
	})
	require.PanicsWithValue(t, "state machine: toggle leads to several states", func() { door().To("toggle") })
	require.PanicsWithValue(t, "state machine: there is no event fly", func() { door().To("fly") })
}
