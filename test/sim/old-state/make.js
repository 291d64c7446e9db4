/**
 * SIM_PROGRAM=FOLDER node test/sim/old-state/make.js: plays the program of an older commit, checked out in FOLDER with its
 * modules, and keeps what it leaves behind, as `acts/old-state.ts` opens it.
 */
import '../hooks.js'

const {makeOldState} = await import('../acts/old-state.js')
await makeOldState(new URL('state.json.gz', import.meta.url))
