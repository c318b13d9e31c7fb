package richtext_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/richtext"
)

const (
	png = "data:image/png;base64,iVBORw0KGgo="
	svg = "data:image/svg+xml;base64,PHN2Zy8+"
)

func TestClean(t *testing.T) {
	tests := map[string]struct{ html, want string }{
		"text":                 {"五折 & 包邮", "五折 &amp; 包邮"},
		"layout":               {`<h2>a</h2><p><strong>b</strong><br/><span>c</span></p>`, `<h2>a</h2><p><strong>b</strong><br/><span>c</span></p>`},
		"table":                {`<table border="1"><tbody><tr><td colspan="2">x</td></tr></tbody></table>`, `<table border="1"><tbody><tr><td colspan="2">x</td></tr></tbody></table>`},
		"picture":              {`<img src="http://a.cn/x.png" alt="图：一" width="100%">`, `<img src="http://a.cn/x.png" alt="图：一" width="100%">`},
		"picture of the shop":  {`<img src="/wx/storage/fetch/a.png">`, `<img src="/wx/storage/fetch/a.png">`},
		"link":                 {`<a href="https://a.cn/?a=1&amp;b=2" target="_blank">x</a>`, `<a href="https://a.cn/?a=1&amp;b=2" target="_blank">x</a>`},
		"style":                {`<p style="text-align: center; color: rgb(1, 2, 3)">x</p>`, `<p style="text-align: center; color: rgb(1, 2, 3)">x</p>`},
		"bitmap":               {`<img src="` + png + `">`, `<img src="` + png + `">`},
		"script":               {`a<script>alert(1)</script>b`, "ab"},
		"script in capitals":   {`a<ScRiPt src=//x.cn/y.js></sCrIpT>b`, "ab"},
		"half a script":        {`<scr<script>ipt>alert(1)</script>`, "ipt&gt;alert(1)"},
		"open script":          {`<script>alert(1)`, ""},
		"iframe":               {`<iframe src="https://x.cn"></iframe>a`, "a"},
		"object and embed":     {`<object data="x.swf"></object><embed src="x.swf">a`, "a"},
		"svg":                  {`<svg onload="alert(1)"><g/></svg>a`, "a"},
		"svg in a picture":     {`<img src="` + svg + `">`, ""},
		"math":                 {`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style>`, `<table>`},
		"style element":        {`<style>p{}</style>a`, "a"},
		"form":                 {`<form action="/admin/admin/delete"><input name=a><button>b</button></form>`, "b"},
		"base, meta and link":  {`<base href="//x.cn/"><meta http-equiv=refresh content="0"><link rel=stylesheet href=x>a`, "a"},
		"handler":              {`<img src="x.png" onerror="alert(1)">`, `<img src="x.png">`},
		"handler after slash":  {`<img/src="x.png"/onerror=alert(1)>`, `<img src="x.png">`},
		"javascript":           {`<a href="javascript:alert(1)">x</a>`, "x"},
		"javascript, disguise": {`<a href=" java&#10;script:alert(1)">x</a>`, "x"},
		"javascript, capitals": {`<a href="JaVaScRiPt:alert(1)">x</a>`, "x"},
		"vbscript":             {`<a href="vbscript:x">x</a>`, "x"},
		"data of HTML":         {`<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>`, "x"},
		"bitmap as a link":     {`<a href="` + png + `">x</a>`, "x"},
		"bitmap in two lines":  {`<img src="` + png[:30] + "\n" + png[30:] + `">`, `<img src="` + png + `">`},
		"mail and telephone":   {`<a href="mailto:a@a.cn">x</a><a href="tel:1">y</a>`, "xy"},
		"host without scheme":  {`<a href="//x.cn/">x</a><img src="//x.cn/y.png">`, "x"},
		"blanks around":        {`<a href=" https://a.cn/ ">x</a>`, `<a href="https://a.cn/">x</a>`},
		"user in the address":  {`<a href="https://a.cn@x.cn/">x</a>`, "x"},
		"data, disguise":       {`<img src="data:image/png;base64,AAAA#<svg/onload=x>">`, ""},
		"expression":           {`<p style="width: expression(alert(1))">x</p>`, `<p>x</p>`},
		"expression, escaped":  {`<p style="width: \65 xpression(alert(1))">x</p>`, `<p>x</p>`},
		"address in a style":   {`<p style="background-color: url(javascript:x); color: red">x</p>`, `<p style="color: red">x</p>`},
		"half bad style":       {`<p style="COLOR:Red;behavior:url(x);margin: 0 auto !important;;x">x</p>`, `<p style="color: Red; margin: 0 auto !important">x</p>`},
		"place on the page":    {`<div style="position: fixed; top: 0">x</div>`, `<div>x</div>`},
		"binding":              {`<p style="-moz-binding: url(x)">x</p>`, `<p>x</p>`},
		"names of the page":    {`<p id="app" class="el-button" name="x">x</p>`, `<p>x</p>`},
		"comment":              {`a<!--[if IE]><script>x</script><![endif]-->b`, "ab"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := richtext.Clean(tt.html)
			require.Equal(t, tt.want, got)
			harmless(t, got)
			require.Equal(t, got, richtext.Clean(got), "cleaned twice")
		})
	}
}

// Operators read what was removed, as the text looks whole to who has pasted it.
func TestRemoved(t *testing.T) {
	for text, want := range map[string][]string{
		`<p style="position: fixed">x</p><img src="/a.png"><a href="https://a.cn">x</a><a name="x">y</a>`: nil,
		"": nil, "a < b": nil,
		`<video src="/a.mp4"></video>`:                                {"video"},
		`<a href="tel:1">x</a><a href="/a">y</a>`:                     {"a"},
		`<img src="//cdn/a.png" alt="x"><img src="/a.png">`:           {"img"},
		`<iframe src="https://x.cn"><b></iframe><ScRiPt>x()</sCrIpT>`: {"iframe", "script"},
		`<o:p>x</o:p><x` + strings.Repeat("y", 40) + `><b>x</b>`:      {"o:p"},
	} {
		require.Equal(t, want, richtext.Removed(text), text)
	}
	require.Equal(t, []string{"audio", "video"}, richtext.Removed("<video>", "<p>", "<audio>"))
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "<x%d>", i)
	}
	require.Len(t, richtext.Removed(many.String()), 20)
}

// Addresses that may not be entered are removed from rich texts too: the rule is the same.
func TestAddressesAreThoseOfForms(t *testing.T) {
	addresses := []string{
		"https://a.cn/b?c=d#e", "http://a.cn", "/a.png", "19", "a/b", "?a=b", "//x.cn/", `/\\x.cn`, "https://u:p@x.cn/",
		"https:x.cn", "https://a.cn/" + strings.Repeat("x", form.MaxWebAddress), "java\tscript:x", "a b",
	}
	for _, scheme := range []string{
		"javascript", "vbscript", "livescript", "mocha", "data", "file", "blob", "filesystem", "about", "chrome", "view-source",
		"ftp", "ws", "mailto", "tel", "sms", "intent", "weixin", "jar", "x", "http", "https", "HTTPS", "JavaScript",
	} {
		for _, rest := range []string{":x", "://x.cn/", ":alert(1)", ":text/html,x", "&colon;x"} {
			addresses = append(addresses, scheme+rest)
		}
	}
	kept := 0
	for _, address := range addresses {
		for _, text := range []string{`<a href="` + address + `">x</a>`, `<img alt="x" src="` + address + `">`} {
			got := richtext.Clean(text)
			harmless(t, got)
			if !form.Harmless(html.UnescapeString(address)) {
				require.NotRegexp(t, "href|src", got, text)
			} else if strings.Contains(got, "href") {
				kept++
			}
		}
	}
	require.GreaterOrEqual(t, kept, 10)
}

// A style with nested calls is removed in linear time: in quadratic time this would not end.
func TestCleanTakesTimeByLengthAlone(t *testing.T) {
	const repeats = 1_000_000
	for _, part := range []string{"url(", "(", "{", "'", "/*", `\\`, "color:red;", "rgb(1,", ":", "&"} {
		got := richtext.Clean(`<p style="` + strings.Repeat(part, repeats) + `">x</p>`)
		require.Equal(t, "<p>x</p>", got, part)
	}
}

// FuzzClean cleans arbitrary text and inspects the result as a browser would.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"", "<", `<p style="color:red;width:exp/**/ression(1)">`, `<a href="jav&#x09;ascript:x">`, `<svg><script>`,
		`<img src="` + png + `" onerror=x>`, `<math><style><img src=x onerror=x>`, `<!--><img src=x onerror=x>-->`,
		"<a\x00 href=javascript:x>", `<table><td background=javascript:x>`, `<p style="\`, `<noscript><p title="</noscript>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := richtext.Clean(text)
		harmless(t, got)
		harmless(t, richtext.Clean(got))
	})
}

var call = regexp.MustCompile(`[a-z]*\(`)

// harmless fails if a browser would execute anything.
func harmless(t *testing.T, text string) {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	require.NoError(t, err)
	for _, n := range nodes {
		inspect(t, n)
	}
}

func inspect(t *testing.T, n *html.Node) {
	t.Helper()
	if n.Type == html.ElementNode {
		require.Empty(t, n.Namespace, "no foreign elements")
		require.NotContains(t, []string{
			"script", "iframe", "frame", "object", "embed", "applet", "svg", "math", "style", "link", "meta", "base", "form",
			"input", "button", "textarea", "select", "template", "noscript", "video", "audio", "source", "portal",
		}, n.Data)
		for _, a := range n.Attr {
			inspectAttribute(t, a)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		inspect(t, c)
	}
}

func inspectAttribute(t *testing.T, a html.Attribute) {
	t.Helper()
	require.False(t, strings.HasPrefix(a.Key, "on"), "handler %s", a.Key)
	require.NotContains(t, []string{"srcdoc", "formaction", "action", "background", "id", "name", "class", "srcset"}, a.Key)
	switch a.Key {
	case "href", "src":
		if a.Key == "src" && strings.HasPrefix(a.Val, "data:") {
			require.Regexp(t, `^data:image/(png|jpe?g|gif|webp|bmp);base64,[A-Za-z0-9+/=]*$`, a.Val)
		} else {
			require.True(t, form.Harmless(a.Val), "%q", a.Val)
		}
	case "style":
		for _, c := range call.FindAllString(strings.ToLower(a.Val), -1) {
			require.True(t, c == "rgb(" || c == "rgba(", "%s", a.Val)
		}
		require.NotContains(t, a.Val, "/*")
		require.NotContains(t, strings.ToLower(a.Val), "position")
	}
}
