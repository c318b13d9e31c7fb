import { useRouter } from 'vue-router'

/** The way back to where one was; home for who has opened the page from elsewhere. */
export function useBack(): () => void {
  const router = useRouter()
  return () => {
    if (window.history.state?.back) router.back()
    else void router.replace({ name: 'home' })
  }
}
