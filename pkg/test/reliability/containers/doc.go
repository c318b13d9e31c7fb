// Package containers runs the shop in containers as docs/operate/install.md says, on a real engine.
// deploy/local/containers.sh starts it.
package containers
