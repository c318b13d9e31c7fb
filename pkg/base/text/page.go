package text

// ofPages are the texts that the service writes into the shop's pages.
var ofPages = family("page.")

// OfPage returns a text of the shop's pages by its name. It panics for one that the catalogue lacks.
func OfPage(name string) *Text {
	t := ofPages[name]
	if t == nil {
		panic("the catalogue of texts lacks page." + name)
	}
	return t
}
