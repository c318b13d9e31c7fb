// What the service tells the page of its configuration: attributes of the element html, which it writes when it serves
// the page. They are there before the first line of a script runs.

/** The shop's time zone, as the tz database names it. */
export const shopZone = () => document.documentElement.dataset.zone

/** The size in bytes above which the service takes no file. */
export const uploadLimit = () => Number(document.documentElement.dataset.uploadLimit) || Infinity
