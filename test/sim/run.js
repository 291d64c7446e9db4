/**
 * npm run sim -- --seeds 1-400 [--workers 2] [--acts writes,…] [--trace] [--keep]: plays the histories of these seeds
 * and prints what they met. The exit code is 1 when an invariant broke; README.md tells what to do then.
 */
import './hooks.js'

const {main} = await import('./main.js')
await main(new URL(import.meta.url))
