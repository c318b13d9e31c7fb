/** A code that somebody types or pastes, without blanks and marks between its parts, as the service cleans it. */
export function codeOf(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{Cc}\p{Cf}\p{Pd}\p{Ps}\p{Pe}./·\u2212]/gu, '')
}

/** A mobile number that somebody types or pastes, without the prefix of China; '' where it is none. */
export function mobileOf(text: string): string {
  return /^(?:\+86|0086|86)?(1[0-9]{10})$/.exec(codeOf(text))?.[1] ?? ''
}
