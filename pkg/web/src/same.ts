/** Texts of the same shape in another language. */
export type Same<T> = { [K in keyof T]: T[K] extends string ? string : Same<T[K]> }
