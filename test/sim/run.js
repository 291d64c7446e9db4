/** npm run sim -- --seeds 1-400: plays histories and prints what they met. README.md tells all of it. */
import {registerHooks} from 'node:module'

/** Tests and source name `.js` files, which are `.ts` here. */
registerHooks({
  resolve(name, context, next) {
    const isOwn = name.startsWith('.') && !context.parentURL?.includes('/node_modules/')
    return next(isOwn ? name.replace(/js$/, 'ts') : name, context)
  },
})

const {main} = await import('./main.js')
await main()
