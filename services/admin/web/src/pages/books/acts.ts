import { actAt, sharedAct } from '../parts/acts'

/** The checks of the books, and asking for one. */
export const checks = actAt('GET', '/admin/books/checks')
export const check = actAt('POST', '/admin/books/check')
/** What the program does by itself, what it could not do, and trying that again. */
export const states = actAt('GET', '/admin/job/states')
export const failures = sharedAct('GET', '/admin/job/failures', states.button)
export const letters = sharedAct('GET', '/admin/job/letters', states.button)
export const retry = actAt('POST', '/admin/job/retry')
export const resend = sharedAct('POST', '/admin/job/resend', retry.button)
