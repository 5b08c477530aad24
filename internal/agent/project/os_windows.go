package project

const nonBlock = 0
