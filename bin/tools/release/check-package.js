// Everything that is checked of a package before it is published: of the tarball that is named, or of a new one.
import {pack, readVersion, run} from './steps.js'

const [tarball = pack(readVersion())] = process.argv.slice(2)
const local = (...words) => run(['exec', '--offline', '--', ...words])

local('node', 'test/long/run.js', 'publint', tarball, '--strict')
local('node', 'test/long/run.js', 'attw', tarball)
run(['exec', '--offline', '--', 'vitest', 'run', '--config', 'test/vitest.config.ts', 'test/package'], {
  VENDORCTL_TARBALL: tarball,
})
