// One process that takes a lock so many times and takes its file away each time. It prints how often another process
// was at work while it had the lock. With `probe`, it prints only whether another process has the lock. With `twice`, it
// says that it has the lock, takes its file away a moment later, and says whether it has the next, until its input ends.
import {rmSync, writeFileSync} from 'node:fs'
import {isPathLocked, tryLock} from '../../build/core/lock.js'

const [path, times, word] = process.argv.slice(2)
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

if (word === 'twice') holdTwice()
else process.stdout.write(word ? (isPathLocked(path, 'The lock') ? 'held' : 'free') : String(met))

function holdTwice() {
  const lock = tryLock(path, 'The lock')
  process.stdout.write('held')
  setTimeout(() => {
    lock.remove()
    const next = tryLock(path, 'The lock')
    process.stdout.write(next ? 'held' : 'free')
    process.stdin.on('end', () => next?.release()).resume()
  }, 50)
}
