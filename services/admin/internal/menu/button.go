package menu

import "shop.internal/pkg/base/text"

// Button is the label of a button by the name that it has in the catalogue of texts, such as "put-on-sale".
func Button(name string) Label { return Label{Slug: "", Text: text.ForButton(name)} }

// Query is the button of most lists.
func Query() Label { return Button("query") }

// Detail is the button of most single records.
func Detail() Label { return Button("detail") }

// Add is the button that makes a record.
func Add() Label { return Button("add") }

// Edit is the button that changes a record.
func Edit() Label { return Button("edit") }

// Export is the button that writes a list into a file.
func Export() Label { return Button("export") }

// Delete is the button that deletes a record.
func Delete() Label { return Button("delete") }

// DeleteMany is the button that deletes several records.
func DeleteMany() Label { return Button("delete-many") }
