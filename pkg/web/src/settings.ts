// What the service tells the page of its configuration: attributes of the element html, which it writes when it serves
// the page. They are there before the first line of a script runs.

/** The shop's time zone, as the tz database names it. */
export const shopZone = () => document.documentElement.dataset.zone

/** Whether the shop is in China, where mobile numbers have 11 digits and regions are chosen from a list. */
export const inChina = () => (document.documentElement.dataset.country ?? 'CN') === 'CN'

/** The shop's currency, as ISO 4217 names it, and how many decimals its amounts are written with. */
export const shopCurrency = () => document.documentElement.dataset.currency ?? 'CNY'
export const decimals = () => Number(document.documentElement.dataset.decimals ?? 2)

/** The shop's name, empty where the page has it from no service. */
export const shopNamed = () => document.documentElement.dataset.name ?? ''

/** The address of the shop's picture. */
export const shopLogo = () => document.documentElement.dataset.logo ?? '/icons/shop.svg'

/** The size in bytes above which the service takes no file. */
export const uploadLimit = () => Number(document.documentElement.dataset.uploadLimit) || Infinity
