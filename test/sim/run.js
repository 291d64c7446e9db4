/**
 * npm run sim -- --seeds 1-400 [--workers 2] [--minutes 60] [--acts writes,…] [--trace] [--keep]: plays the histories of these seeds
 * and prints what they met. The exit code is 1 when an invariant broke; README.md tells what to do then.
 */
import {registerHooks} from 'node:module'

// Tests and source name `.js` files, which are `.ts` here.
registerHooks({
  resolve(name, context, next) {
    if (!name.startsWith('.') || !name.endsWith('.js')) return next(name, context)
    try {
      return next(name, context)
    } catch {
      return next(name.replace(/js$/, 'ts'), context)
    }
  },
})

const {main} = await import('./main.js')
await main()
