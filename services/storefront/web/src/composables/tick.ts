import { now } from '@shop/web/clock'
import { onActivated, onBeforeUnmount, onDeactivated, onMounted, readonly, ref } from 'vue'

const time = ref(now())
let watchers = 0
let timer: ReturnType<typeof setInterval> | undefined

function begin() {
  time.value = now()
  if (watchers++ === 0) timer = setInterval(() => (time.value = now()), 1000)
}

function stop() {
  if (--watchers === 0) clearInterval(timer)
}

/** The service's time, second by second, from one timer for all that count down. It rests with the page. */
export function useTick() {
  let on = false
  const start = () => {
    if (!on) begin()
    on = true
  }
  const end = () => {
    if (on) stop()
    on = false
  }
  onMounted(start)
  onActivated(start)
  onDeactivated(end)
  onBeforeUnmount(end)
  return readonly(time)
}
