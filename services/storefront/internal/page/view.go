package page

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/settings"
)

// look is what every page has of the settings.
type look struct {
	Name, Logo, Color, Phone, Address string
	Currency                          money.Currency
}

func lookOf(v settings.Values) look {
	return look{
		Name: v.MallName, Logo: v.MallLogo, Color: v.MallColor, Phone: v.MallPhone, Address: v.MallAddress,
		Currency: v.Currency,
	}
}

// view is a page as its template sees it.
type view struct {
	pages *Pages
	look

	// Scripts are those that the page loads first, so that a browser begins with them at once.
	Scripts []string
	// Language is zh or en, Base the prefix of the addresses in it, Path the address without the prefix.
	Language, Base, Path string
	Status               int
	// Title is without the shop's name, empty for the home page. Listed pages are for search engines.
	Title, Description, Picture string
	Listed                      bool
	// Facts are the structured data, as schema.org names them.
	Facts []thing
	Crumbs
	Heading string
	// Goods, Sections, Text and Questions are what the page is about; each may be empty.
	Goods     *goods
	Sections  []section
	Text      template.HTML
	Questions []question
	// Note says why there is nothing to show.
	Note string
}

// Crumbs are the pages above a page, from the home page down.
type Crumbs struct{ Above []link }

type link struct{ Name, Path string }

// section is a list of things that have pages of their own.
type section struct {
	Title string
	// Wide cards have room for a sentence.
	Wide  bool
	Cards []card
}

type card struct{ Name, Path, Brief, Price, Picture string }

type question struct{ Question, Answer string }

// view returns the view of a page, without content.
func (p *Pages) view(language string, l look, k *kind, id string) *view {
	v := &view{pages: p, look: l, Language: language, Base: p.base(language), Path: k.path, Status: http.StatusOK}
	if len(k.ask) > 0 {
		v.Path = k.at(id)
	}
	if v.Name == "" {
		v.Name = v.Say("shop")
	}
	v.Scripts = slices.Concat(p.Scripts["i18n/"+language], p.Scripts[k.file])
	v.Listed = !k.private && !strings.Contains(v.Path, idPart)
	return v
}

// base is the prefix of the addresses in a language.
func (p *Pages) base(language string) string {
	if language == p.Language {
		return ""
	}
	return "/" + language
}

// Say is a text of the page in its language.
func (v *view) Say(name string, args ...any) string { return text.OfPage(name).In(v.Language, args...) }

// Tag is the language as HTML names it.
func (v *view) Tag() string { return text.Tag(v.Language) }

// FullTitle is the title with the shop's name.
func (v *view) FullTitle() string {
	if v.Title == "" {
		return v.Name
	}
	return v.Title + " · " + v.Name
}

// Alternate is the page in one of the languages.
type Alternate struct{ Name, Tag, Address string }

// nameOf is what a language is called by those who speak it.
func nameOf(language string) string { return text.OfPage("language").In(language) }

// Alternates are the addresses of the page in every language; none where the shop's address is unknown.
func (v *view) Alternates() []Alternate {
	if v.pages.origin == "" || !v.Listed {
		return nil
	}
	var list []Alternate
	for _, l := range text.Languages() {
		list = append(list, Alternate{nameOf(l), text.Tag(l), v.pages.addressIn(l, v.Path)})
	}
	return list
}

// Others is the page in the other languages, for people.
func (v *view) Others() []Alternate {
	var list []Alternate
	for _, l := range text.Languages() {
		if l != v.Language {
			list = append(list, Alternate{nameOf(l), text.Tag(l), slashless(v.pages.base(l) + v.Path)})
		}
	}
	return list
}

// Canonical is the whole address of the page, Usual that in the shop's language; empty where it is unknown.
func (v *view) Canonical() string { return v.whole(v.Language) }

// Usual is Canonical in the shop's own language.
func (v *view) Usual() string { return v.whole(v.pages.Language) }

func (v *view) whole(language string) string {
	if v.pages.origin == "" || !v.Listed {
		return ""
	}
	return v.pages.addressIn(language, v.Path)
}

// addressIn is the whole address of a path in a language.
func (p *Pages) addressIn(language, path string) string {
	return p.origin + slashless(p.base(language)+path)
}

// slashless is the address of a home page without the slash that a prefix does not need.
func slashless(path string) string {
	if path == "/" {
		return path
	}
	return strings.TrimSuffix(path, "/")
}

// absolute is the whole address of a picture, empty where it is unknown.
func (p *Pages) absolute(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || address == "":
		return ""
	case u.Host != "":
		return address
	case p.origin == "" || !strings.HasPrefix(address, "/"):
		return ""
	}
	return p.origin + address
}

// Image is the whole address of the picture that stands for the page.
func (v *view) Image() string {
	if a := v.pages.absolute(v.Picture); a != "" {
		return a
	}
	return v.pages.absolute(v.Mark())
}

// Mark is the shop's picture.
func (v *view) Mark() string {
	if v.Logo != "" {
		return v.Logo
	}
	return "/icons/shop-512.png"
}

// price writes an amount of an answer.
func (v *view) price(a fmt.Stringer) string {
	amount, err := money.Parse(a.String())
	if err != nil {
		return ""
	}
	return v.Currency.Price(amount)
}

// to is the address of a page in the language of the view.
func (v *view) to(format string, args ...any) string {
	return slashless(v.Base + fmt.Sprintf(format, args...))
}

// showName is a page that has content from the script alone.
func showName(_ context.Context, v *view, _ []answer) error {
	v.Description = v.Say("shop-description", v.Name)
	return nil
}

// notFound is the page of an address that the shop does not have.
func (p *Pages) notFound(language string, l look) *view {
	v := p.view(language, l, &kind{path: "/", private: true}, "")
	v.Status, v.Title = http.StatusNotFound, v.Say("missing")
	v.Heading, v.Note = v.Title, v.Say("missing-note")
	return v
}

// gone is the page of goods that the shop has no more.
func (p *Pages) gone(language string, l look) *view {
	v := p.notFound(language, l)
	v.Status, v.Title = http.StatusGone, v.Say("gone")
	v.Heading, v.Note = v.Title, v.Say("gone-note")
	return v
}
