// What the log's files need of date-fns, in place of its index, which brings all of it.
exports.addDays = require('date-fns/addDays').addDays;
exports.addHours = require('date-fns/addHours').addHours;
exports.format = require('date-fns/format').format;
exports.isValid = require('date-fns/isValid').isValid;
exports.parse = require('date-fns/parse').parse;
