import type { Failure } from '@shop/web/answer'
import { sentence } from '@shop/web/failure'
import { ref } from 'vue'

/** Why what was asked did not happen, as FormProblem shows it. */
export function useRefusal() {
  const problem = ref('')
  const request = ref<string>()

  function refuse(failure: Failure): void {
    problem.value = sentence(failure)
    request.value = failure.request
  }

  function clear(): void {
    problem.value = ''
    request.value = undefined
  }
  return { problem, request, refuse, clear }
}
