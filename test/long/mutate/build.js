/** Builds the program in the folder in which Stryker broke the code; it would link the packages only later. */
import {execSync} from 'node:child_process'
import {symlinkSync} from 'node:fs'

symlinkSync('../../../node_modules', 'node_modules')
execSync('npm run -s build', {stdio: 'inherit'})
