import { ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { codeOf, mobileOf, noMobile } from '@/composables/number'

/** What a mobile is proven with, of which only the password is not kept with what is typed. */
interface Proof {
  mobile: string
  code: string
}

/**
 * The password of a form that proves a mobile, and the form's rules. An Idempotency-Key belongs to what is sent, and is
 * kept with it, but the password is not kept: its changes are counted in `spelling` instead.
 */
export function useProof(values: Proof) {
  const { t } = useI18n()
  const password = ref('')
  const spelling = ref(0)
  watch(password, () => spelling.value++)
  const mobileRule = () => ({ mobile: !mobileOf(values.mobile) && t(noMobile()) })
  const rules = () => ({
    ...mobileRule(),
    code: !codeOf(values.code) && t('account.code.none'),
    password: !password.value && t('account.field.noPassword'),
  })
  /** What is sent of it beside the password. */
  const proof = () => ({ mobile: mobileOf(values.mobile), code: codeOf(values.code), spelling: spelling.value })
  return { password, mobileRule, rules, proof }
}
