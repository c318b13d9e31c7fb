import { type Failure, speaks } from './answer'
import { i18n } from './i18n'

/**
 * What went wrong, for people: the sentence of the answer where it is in the page's language, else the page's own for
 * the number of the error, else one for its kind. Never a number.
 */
export function sentence(failure: Failure): string {
  const { t, te, locale } = i18n.global
  if (failure.kind === 'refused' && speaks(failure.text, locale.value)) return failure.text
  const own = `common.errno.${failure.errno ?? 0}`
  return failure.kind === 'refused' && te(own) ? t(own) : t(`common.failure.${failure.kind}`)
}
