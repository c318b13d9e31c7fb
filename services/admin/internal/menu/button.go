package menu

// Button is a label without a slug.
func Button(en, zh string) Label { return Label{Slug: "", EN: en, ZH: zh} }

// Query is the button of most lists.
func Query() Label { return Button("Query", "查询") }

// Detail is the button of most single records.
func Detail() Label { return Button("Detail", "详情") }

// Add is the button that makes a record.
func Add() Label { return Button("Add", "添加") }

// Edit is the button that changes a record.
func Edit() Label { return Button("Edit", "编辑") }

// Export is the button that writes a list into a file.
func Export() Label { return Button("Export", "导出") }

// Delete is the button that deletes a record.
func Delete() Label { return Button("Delete", "删除") }

// DeleteMany is the button that deletes several records.
func DeleteMany() Label { return Button("Delete many", "批量删除") }
