// One process that starts a job, says so, and reports a moment later that it failed.
import {startActivity} from '../../build/reports/register/start-activity.js'

const [folder, name] = process.argv.slice(2)
const facts = {command: 'jobs run', file: 'nightly', resume: 'jobs run nightly'}
const start = startActivity(folder, {kind: 'job', name, facts, now: () => 1_000, keepMilliseconds: 1e9})
process.stdout.write('started')
setTimeout(() => start.close({exit: 1}), 100)
