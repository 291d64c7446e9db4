// One process that takes a lock so many times and takes its file away each time. It prints how often another process
// was at work while it had the lock. With `probe`, it prints only whether another process has the lock.
import {rmSync, writeFileSync} from 'node:fs'
import {isHeld, tryLock} from '../../build/core/lock.js'

const [path, times, probe] = process.argv.slice(2)
let met = 0
for (let taken = 0; taken < Number(times); ) {
  const lock = tryLock(path, 'The lock')
  if (!lock) continue
  taken++
  try {
    writeFileSync(`${path}.work`, '', {flag: 'wx'})
    rmSync(`${path}.work`)
  } catch {
    met++
  }
  lock.remove()
}
process.stdout.write(probe ? (isHeld(path, 'The lock') ? 'held' : 'free') : String(met))
