/* spin: states=11 errors=none */
typedef Point { byte x; short y };
typedef Shape { Point p[2]; bit closed };
chan c = [2] of { Point, bit };
Shape s[2];
active proctype A() {
  Point v; byte i = 1;
  s[i].p[0].x = 4; s[i].p[i].y = -2; s[0].closed = 1;
  c!s[1].p[1],s[0].closed; c!s[1].p[0],0;
  c?v,1; assert(v.x == 0 && v.y == -2);
  c?v,0; assert(v.x == 4)
}
