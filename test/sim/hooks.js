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
