/** Replaces standard input by one that never says anything and keeps no process alive. */
const {Readable} = require('node:stream')

Object.defineProperty(process, 'stdin', {value: new Readable({read() {}})})
