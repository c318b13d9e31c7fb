import { ref } from 'vue'
import { view } from '@/api/view'
import { useViews } from '@/stores/views'

const page = 'sys/audit'
const name = 'last visit'

/** Up to which moment the operator has seen the records, on whatever device: the service keeps it among their views. */
export function useLastVisit() {
  const views = useViews()
  /** '' before the first visit, and until it is read. */
  const since = ref('')
  const read = ref(false)

  async function load(): Promise<void> {
    await views.load()
    const kept = views.all?.find((each) => each.page === page && each.name === name)
    since.value = new URLSearchParams(kept?.query).get('start') ?? ''
    read.value = true
  }
  void load()

  /** Keeps the time of the newest record that was shown; what was new on this visit stays so until the next. */
  function saw(newest: string): void {
    if (newest > since.value && !view.value)
      void views.save(page, name, new URLSearchParams({ start: newest }).toString())
  }
  return { since, read, saw }
}
