import { inChina } from '@shop/web/settings'

/** A code that somebody types or pastes, without blanks and marks between its parts, as the service cleans it. */
export function codeOf(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Cc}\p{Cf}\p{Pd}\p{Ps}\p{Pe}./·\u2212]/gu, '')
}

/**
 * A mobile number that somebody types or pastes, without the prefix of China; '' where it is none. Outside China the
 * service knows what a number is, and takes each spelling.
 */
export function mobileOf(text: string): string {
  const number = codeOf(text)
  if (!inChina()) return /^\+?[0-9]{5,20}$/.test(number) ? number : ''
  return /^(?:\+86|0086|86)?(1[0-9]{10})$/.exec(number)?.[1] ?? ''
}

/** The name of what is said of a text that is no mobile number. */
export const noMobile = () => (inChina() ? 'account.field.noMobile' : 'account.field.noMobileAbroad')
