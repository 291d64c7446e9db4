import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Eight machines at work for a minute through one store, beside what the service allows; the limits stand there. */
export function benchBudget() {
  const words = ['test/torture/run.js', '--machines', '8', '--only', 'steady']
  const {status} = spawnSync(process.execPath, words, {cwd: root, stdio: 'inherit'})
  if (status !== 0) process.exitCode = 1
}
