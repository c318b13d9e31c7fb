// Package workload is the people of a shop for tests: shoppers who buy, pay and change their minds, operators who ship
// and refund, guests who read. Each remembers what it was told, and Check compares that with the books.
package workload
