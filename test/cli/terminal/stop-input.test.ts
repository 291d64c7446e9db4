import {PassThrough} from 'node:stream'
import {afterEach, expect, test, vi} from 'vitest'
import {installSignals} from '../../../src/cli/terminal/signals.js'

afterEach(() => {
  vi.restoreAllMocks()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
})

/** A terminal as standard input, and what a first Ctrl-C does. */
function useTerminal() {
  const known = new Set(process.listeners('SIGINT'))
  const terminal = Object.assign(new PassThrough(), {isTTY: true})
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(terminal as unknown as typeof process.stdin)
  installSignals(
    () => undefined,
    () => 0,
  )
  const [handle] = process.listeners('SIGINT').filter((each) => !known.has(each))
  return {terminal, interrupt: () => handle?.('SIGINT')}
}

test('Ctrl-C ends input that is typed on a terminal', async () => {
  const {terminal, interrupt} = useTerminal()
  const reading = terminal[Symbol.asyncIterator]().next()

  interrupt()

  await expect(reading).rejects.toThrow('Stopped by Ctrl-C.')
})

test('what asks on the terminal ends by itself', () => {
  const {terminal, interrupt} = useTerminal()
  terminal.on('keypress', () => undefined).resume()

  interrupt()

  expect(terminal.destroyed).toBe(false)
})
