import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { canShare, copyText, share } from '@/composables/share'

/** The ways to invite to a group. */
export function useInvite() {
  const { t } = useI18n()
  const router = useRouter()
  const words = (goods: string) => t('account.group.words', { name: goods })
  const link = (opener: number) =>
    new URL(router.resolve({ name: 'group', params: { id: opener } }).href, location.href).href

  /** Copies words with the link, which say what it leads to. */
  const copy = (opener: number, goods: string): Promise<void> =>
    copyText(`${words(goods)} ${link(opener)}`, 'goods.share.copied', 'goods.share.link')

  /** Opens the share sheet of the device where it has one, else copies. */
  const invite = (opener: number, goods: string): Promise<void> =>
    canShare ? share(words(goods), link(opener)) : copy(opener, goods)
  return { invite, copy }
}
