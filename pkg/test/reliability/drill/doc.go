// Package drill does what an operator of the shop has to have done once before it counts: an upgrade while the shop is
// open, a restore of a backup, and faults of everything. Each drill prints what it has proved. deploy/local/drill.sh
// starts them.
package drill
