import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { canShare, copyLink, share } from '@/composables/share'

/** Invites to a group: by the share sheet of the device where it has one, else by a link in the clipboard. */
export function useInvite() {
  const { t } = useI18n()
  const router = useRouter()
  return (opener: number, goods: string): Promise<void> => {
    const link = new URL(router.resolve({ name: 'group', params: { id: opener } }).href, location.href).href
    return canShare ? share(t('mine.group.words', { name: goods }), link) : copyLink(link)
  }
}
